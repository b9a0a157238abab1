//! The symmetries of points in the plane.
//!
//! A map that keeps distances keeps the centre of gravity, so it is known by where it takes one other
//! point: by a turn, or by a turn of the mirror image.

/// How far a point may be off.
const CLOSE: f64 = 1e-2;

/// The permutations of points that keep distances and edges, the identity first.
pub(crate) fn isometries(points: &[(f64, f64)], edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let count = points.len() as f64;
    let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let middle = (sum.0 / count, sum.1 / count);
    let points: Vec<(f64, f64)> =
        points.iter().map(|point| (point.0 - middle.0, point.1 - middle.1)).collect();
    let mut found = vec![(0..points.len()).collect::<Vec<usize>>()];
    let Some(&(ax, ay)) = points.iter().find(|point| point.0.hypot(point.1) > CLOSE) else {
        return found;
    };
    let square = ax * ax + ay * ay;
    for &(bx, by) in &points {
        if (bx * bx + by * by - square).abs() > CLOSE {
            continue;
        }
        for flip in [1.0, -1.0] {
            // The turn that takes the first point, or its mirror image, to this one.
            let (cos, sin) =
                ((ax * bx + flip * ay * by) / square, (ax * by - flip * ay * bx) / square);
            let turned = |&(x, y): &(f64, f64)| {
                let y = flip * y;
                let (x, y) = (cos * x - sin * y, sin * x + cos * y);
                points.iter().position(|point| (point.0 - x).hypot(point.1 - y) < CLOSE)
            };
            let Some(image) = points.iter().map(turned).collect::<Option<Vec<usize>>>() else {
                continue;
            };
            let kept = |&(a, b): &(usize, usize)| {
                edges.contains(&(image[a], image[b])) || edges.contains(&(image[b], image[a]))
            };
            if edges.iter().all(kept) && !found.contains(&image) {
                found.push(image);
            }
        }
    }
    found
}

/// All permutations that these make together, the identity first.
pub(crate) fn closure(generators: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut all = vec![(0..generators[0].len()).collect::<Vec<usize>>()];
    let mut next = 0;
    while next < all.len() {
        for generator in generators {
            let both: Vec<usize> = all[next].iter().map(|&point| generator[point]).collect();
            if !all.contains(&both) {
                all.push(both);
            }
        }
        next += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_their_symmetries() {
        let grid = |columns: u8, rows: u8| -> Vec<(f64, f64)> {
            let cells = (0..rows).flat_map(|y| (0..columns).map(move |x| (x.into(), y.into())));
            cells.collect()
        };
        assert_eq!(isometries(&grid(1, 1), &[]).len(), 1);
        assert_eq!(isometries(&grid(3, 1), &[]).len(), 2);
        assert_eq!(isometries(&grid(3, 2), &[]).len(), 4);
        assert_eq!(isometries(&grid(4, 4), &[]).len(), 8);
        let open_square = [(0, 1), (0, 2), (1, 3)];
        assert_eq!(isometries(&grid(2, 2), &open_square), [vec![0, 1, 2, 3], vec![1, 0, 3, 2]]);
    }

    #[test]
    fn generators_make_a_group() {
        let turn = vec![1, 2, 3, 0];
        let mirror = vec![1, 0, 3, 2];
        assert_eq!(closure(&[turn, mirror]).len(), 8);
    }
}
