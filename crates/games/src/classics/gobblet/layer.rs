//! One size of pieces on the board: few enough ways to number them all.

use kanzen_parts::{Board, points};

/// The cells of the board.
pub const CELLS: u32 = 9;

/// The pieces of one size: those of the side to move in the lower nine bits, the others above.
pub type Layer = u32;

/// The pieces of the side to move.
pub fn mine(layer: Layer) -> u32 {
    layer & 0x1ff
}

/// The pieces of the other side.
pub fn theirs(layer: Layer) -> u32 {
    layer >> CELLS
}

/// All cells with a piece.
pub fn occupied(layer: Layer) -> u32 {
    mine(layer) | theirs(layer)
}

/// The same pieces seen by the other side.
pub fn exchanged(layer: Layer) -> Layer {
    mine(layer) << CELLS | theirs(layer)
}

/// The numbers of all layers with at most so many pieces of each side, and their images.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The rank of each pair of sets, by its number in base 3; none for what is no layer.
    ranks: Vec<u16>,
    layers: Vec<Layer>,
    images: Vec<Vec<u16>>,
    /// For each rank, the symmetries that lead to its least image.
    least: Vec<u8>,
    /// The sum of the powers of 3 for each set of cells.
    ternary: Vec<u16>,
    board: Board,
}

const NONE: u16 = u16::MAX;

impl Layers {
    /// Numbers the layers with at most so many pieces of each side.
    pub fn new(pieces: u32) -> Layers {
        let board = Board::grid(3, 3);
        let power = |cell: u8| 3u16.pow(cell.into());
        let ternary: Vec<u16> = (0..512).map(|set| points(set).map(power).sum()).collect();
        let fits = |set: &u32| set.count_ones() <= pieces;
        let sides = (0..512).filter(fits).flat_map(|mine| {
            let others = (0..512).filter(move |theirs| theirs & mine == 0).filter(fits);
            others.map(move |theirs: u32| mine | theirs << CELLS)
        });
        let layers: Vec<Layer> = sides.collect();
        let mut all = Layers {
            ranks: vec![NONE; 19683],
            layers: Vec::new(),
            images: Vec::new(),
            least: Vec::new(),
            ternary,
            board,
        };
        for (rank, &layer) in (0..).zip(&layers) {
            let number = all.ternary(layer);
            all.ranks[number] = rank;
        }
        let image = |symmetry: usize| {
            layers.iter().map(|&layer| all.rank(all.image(layer, symmetry))).collect()
        };
        all.images = (0..all.symmetries()).map(image).collect();
        let leading = |rank: usize| {
            let least = all.images.iter().map(|images| images[rank]).min();
            let led = all.images.iter().map(|images| Some(images[rank]) == least);
            led.enumerate().fold(0, |set, (symmetry, leads)| set | u8::from(leads) << symmetry)
        };
        all.least = (0..layers.len()).map(leading).collect();
        Layers { layers, ..all }
    }

    fn ternary(&self, layer: Layer) -> usize {
        let [x, o] = [mine(layer), theirs(layer)].map(|set| self.ternary[set as usize]);
        usize::from(x + 2 * o)
    }

    /// How many layers there are.
    pub fn count(&self) -> u64 {
        self.layers.len() as u64
    }

    /// The number of a layer.
    pub fn rank(&self, layer: Layer) -> u16 {
        self.ranks[self.ternary(layer)]
    }

    /// The layer with this number.
    pub fn layer(&self, rank: usize) -> Layer {
        self.layers[rank]
    }

    /// The number of symmetries.
    pub fn symmetries(&self) -> usize {
        self.board.group().order()
    }

    /// The image of a layer.
    pub fn image(&self, layer: Layer, symmetry: usize) -> Layer {
        let image = |set| self.board.group().image(symmetry, set);
        image(mine(layer)) | image(theirs(layer)) << CELLS
    }

    /// The number of the image of the layer with this number.
    pub fn image_rank(&self, rank: u16, symmetry: u8) -> u16 {
        self.images[usize::from(symmetry)][usize::from(rank)]
    }

    /// The symmetries, as a set, that lead from the layer with this number to its least image.
    pub fn least(&self, rank: u16) -> u32 {
        self.least[usize::from(rank)].into()
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }
}
