//! Ways for work, in which one address leaves room for others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

tokio::task_local! {
    /// Whom the work of this task is for.
    pub static ASKER: IpAddr;
}

/// Some to be done at a time, and some that are done or wait for it.
struct Room {
    workers: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl Room {
    fn new(workers: usize, places: usize) -> Room {
        let [workers, places] = [workers, places].map(|room| Arc::new(Semaphore::new(room.max(1))));
        Room { workers, places }
    }
}

/// A way for work.
#[derive(Clone)]
pub struct Lane(Arc<Inner>);

struct Inner {
    all: Room,
    workers: usize,
    places: usize,
    /// A half of it for each address that has something there.
    shares: Mutex<HashMap<IpAddr, Arc<Room>>>,
}

/// A place of the whole and of the share, or the turn to work; free again when it is dropped.
pub struct Permit {
    _all: OwnedSemaphorePermit,
    _share: Option<(Arc<Room>, OwnedSemaphorePermit)>,
}

impl Lane {
    /// A way with room for so many at work, and for so many in all.
    pub fn new(workers: usize, places: usize) -> Lane {
        let (all, shares) = (Room::new(workers, places), Mutex::default());
        Lane(Arc::new(Inner { all, workers, places, shares }))
    }

    /// How many are at work or wait for it.
    pub fn taken(&self) -> usize {
        self.0.places - self.0.all.places.available_permits()
    }

    /// The share of the one who asks; none if nobody knows who that is.
    fn share(&self) -> Option<Arc<Room>> {
        let asker = ASKER.try_with(|asker| *asker).ok()?;
        let mut shares = self.0.shares.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever has nothing there any more is forgotten.
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        let half = || Arc::new(Room::new(self.0.workers / 2, self.0.places / 2));
        Some(Arc::clone(shares.entry(asker).or_insert_with(half)))
    }

    /// A place, if there is one.
    pub fn place(&self) -> Option<Permit> {
        let share = match self.share() {
            None => None,
            Some(share) => {
                Some((Arc::clone(&share), Arc::clone(&share.places).try_acquire_owned().ok()?))
            }
        };
        let all = Arc::clone(&self.0.all.places).try_acquire_owned().ok()?;
        Some(Permit { _all: all, _share: share })
    }

    /// Waits for the turn to work.
    pub async fn turn(&self) -> Option<Permit> {
        let share = match self.share() {
            None => None,
            Some(share) => {
                Some((Arc::clone(&share), Arc::clone(&share.workers).acquire_owned().await.ok()?))
            }
        };
        let all = Arc::clone(&self.0.all.workers).acquire_owned().await.ok()?;
        Some(Permit { _all: all, _share: share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_address_leaves_room_for_others() {
        let lane = Lane::new(2, 8);
        let [one, other] = ["127.0.0.1", "127.0.0.2"].map(|address| address.parse().unwrap());
        let places =
            ASKER.sync_scope(one, || (0..8).map_while(|_| lane.place()).collect::<Vec<_>>());
        assert_eq!((places.len(), lane.taken()), (4, 4));
        let more = ASKER.sync_scope(other, || lane.place());
        assert!(more.is_some());
        let moment = std::time::Duration::from_millis(1);
        let turn = async |who| {
            ASKER.scope(who, tokio::time::timeout(moment, lane.turn())).await.ok().flatten()
        };
        let first = turn(one).await;
        assert!(first.is_some() && turn(one).await.is_none());
        assert!(turn(other).await.is_some());
        drop((places, first));
        assert!(turn(one).await.is_some());
        assert_eq!(lane.taken(), 1);
        drop(more);
        assert!(ASKER.sync_scope(one, || lane.place()).is_some());
        assert!(lane.0.shares.lock().unwrap().len() <= 1, "who has nothing there is forgotten");
    }
}
