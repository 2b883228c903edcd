//! A reusable list with branch-free conditional appends.

/// A list of items whose memory is reused. [`Batch::push_if`] adds an item under a condition without a branch, for
/// conditions that the processor cannot predict.
///
/// ```
/// use admissible::Batch;
///
/// let mut even = Batch::default();
/// (0..10).for_each(|number| even.push_if(number, number % 2 == 0));
/// assert_eq!(even.items(), [0, 2, 4, 6, 8]);
/// ```
#[derive(Debug, Clone)]
pub struct Batch<T> {
    /// The items, and room for more.
    room: Vec<T>,
    count: usize,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Batch { room: Vec::new(), count: 0 }
    }
}

impl<T: Copy> Batch<T> {
    /// Adds an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.push_if(item, true);
    }

    /// Adds an item if it is wanted, without a branch.
    #[inline]
    pub fn push_if(&mut self, item: T, is_wanted: bool) {
        if self.count == self.room.len() {
            self.grow(item);
        }
        self.room[self.count] = item;
        self.count += usize::from(is_wanted);
    }

    #[cold]
    fn grow(&mut self, filler: T) {
        self.room.resize(2 * self.count + 64, filler);
    }

    /// Makes room for `most` more items and lets `fill` add them. Meanwhile the count can stay in a register, which
    /// matters where each step adds few items.
    #[inline]
    pub fn fill(&mut self, most: usize, filler: T, fill: impl FnOnce(&mut Filling<'_, T>)) {
        if self.room.len() < self.count + most {
            self.room.resize(self.count + most, filler);
        }
        let mut filling = Filling { room: &mut self.room, count: self.count };
        fill(&mut filling);
        self.count = filling.count;
    }

    /// Removes the items that are not wanted, without a branch; the others keep their order.
    #[inline]
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&T) -> bool) {
        let mut kept = 0;
        for at in 0..self.count {
            let item = self.room[at];
            self.room[kept] = item;
            kept += usize::from(is_wanted(&item));
        }
        self.count = kept;
    }

    /// The items, in the order in which they were added.
    #[inline]
    pub fn items(&self) -> &[T] {
        &self.room[..self.count]
    }

    /// Removes all items, and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }
}

/// A [`Batch`] that is being filled; see [`Batch::fill`].
#[derive(Debug)]
pub struct Filling<'a, T> {
    room: &'a mut [T],
    count: usize,
}

impl<T: Copy> Filling<'_, T> {
    /// Adds an item if it is wanted, without a branch.
    ///
    /// # Panics
    /// If there is no room.
    #[inline]
    pub fn put_if(&mut self, item: T, is_wanted: bool) {
        self.room[self.count] = item;
        self.count += usize::from(is_wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reused_batch_keeps_the_wanted_items_in_order() {
        let mut batch = Batch::default();
        for round in 0..5_u64 {
            let numbers = || (0..300 * round).map(|number| number * number % 97);
            numbers().for_each(|number| batch.push_if(number, number % 3 == round % 3));
            batch.push(round);
            let expected: Vec<u64> = numbers().filter(|number| number % 3 == round % 3).chain([round]).collect();
            assert_eq!(batch.items(), expected);
            batch.clear();
            batch.fill(expected.len(), 0, |batch| {
                expected.iter().for_each(|&number| batch.put_if(number, number % 2 == 0));
            });
            assert!(batch.items().iter().eq(expected.iter().filter(|&number| number % 2 == 0)));
            batch.retain(|number| number % 5 == 0);
            assert!(batch.items().iter().eq(expected.iter().filter(|&number| number % 10 == 0)));
            batch.clear();
            assert!(batch.items().is_empty());
        }
    }
}
