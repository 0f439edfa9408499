//! Where the host had each player, every third tick of the last thirteen seconds. Knows no report.
