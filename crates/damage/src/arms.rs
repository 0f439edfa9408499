//! What each player carried, drove and fired in the last ten seconds. Knows no damage.
