//! The words of a map's parts and of what can be seen from where. Knows the words alone.

use super::{Fault, Reading, Words};

/// Clusters of a map at most, and boxes of them.
const MOST_CLUSTERS: usize = 64;
const MOST_BOXES: usize = 256;

impl Reading {
    pub(super) fn cluster(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let name = words.word()?;
        let (least, most) = (words.vector()?, words.vector()?);
        if (most - least).to_array().iter().any(|part| *part <= 0.0) {
            return Err(Fault::BadSize);
        }
        let clusters = &mut self.clusters;
        let cluster = match clusters.named(name) {
            Some(cluster) => cluster,
            None => {
                clusters.names.push(name.to_owned());
                (clusters.names.len() - 1) as u16
            }
        };
        clusters.boxes.push((least, most, cluster));
        if clusters.names.len() > MOST_CLUSTERS || clusters.boxes.len() > MOST_BOXES {
            Err(Fault::TooMany)
        } else {
            Ok(())
        }
    }

    pub(super) fn sees(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let from = self.clusters.named(words.word()?).ok_or(Fault::UnknownCluster)?;
        let mut to = Some(words.word()?);
        while let Some(name) = to {
            let seen = self.clusters.named(name).ok_or(Fault::UnknownCluster)?;
            self.clusters.sees.push((from, seen));
            to = words.0.next();
        }
        Ok(())
    }
}
