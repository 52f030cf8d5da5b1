//! Where seats and piles stand on a drawing of the table: a wide one for screens, a tall one for telephones. Only the number of
//! seats counts; what lies there is not known here.

use std::f64::consts::PI;

use serde::Serialize;

/// The middle of a place for a seat, and how much room it has.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeatSpot {
    /// From the left edge.
    pub x: f64,
    /// From the top edge.
    pub y: f64,
    /// Room for its fan of cards.
    pub width: f64,
    /// Size of its cards; 1 for the measures of a symbol.
    pub scale: f64,
}

/// Measures of a drawing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrawingMeasures {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Places clockwise, as seen from above; the first is at the bottom.
    pub spots: Vec<SeatSpot>,
    /// The middle between draw pile and discard pile.
    pub x: f64,
    /// The same.
    pub y: f64,
    /// Half axes of the arrows that show the direction.
    pub ring: (f64, f64),
}

impl DrawingMeasures {
    /// For a screen that is wider than high: the seats around the table.
    pub fn wide(seats: usize) -> DrawingMeasures {
        let large = seats > 8;
        let (width, height) = if large { (1500.0, 900.0) } else { (1000.0, 620.0) };
        let (x, y) = (width / 2.0, height / 2.0 - 26.0);
        let radius = (width / 2.0 - 130.0, height / 2.0 - 92.0);
        let bottom = SeatSpot { x, y: height - 74.0, width: 460.0, scale: 1.3 };
        // The others sit from left over the top to the right; with many, the ends are drawn down.
        let others = seats.saturating_sub(1);
        let reach = match seats {
            ..=4 => 0.0,
            5..=6 => 8.0,
            _ => 16.0,
        };
        let room = match seats {
            ..=4 => 240.0,
            5..=6 => 200.0,
            7..=11 => 170.0,
            _ => 126.0,
        };
        let scale = match seats {
            ..=4 => 1.0,
            5..=6 => 0.85,
            7..=12 => 0.78,
            _ => 0.6,
        };
        let spot = |other: usize| {
            let degrees = match others {
                1 => 270.0,
                2 => [215.0, 325.0][other],
                _ => 180.0 - reach + (180.0 + 2.0 * reach) * other as f64 / (others - 1) as f64,
            };
            let angle = degrees * PI / 180.0;
            SeatSpot { x: round(x + radius.0 * angle.cos()), y: round(y + radius.1 * angle.sin()), width: room, scale }
        };
        DrawingMeasures {
            width,
            height,
            spots: [bottom].into_iter().chain((0..others).map(spot)).collect(),
            x,
            y,
            ring: (190.0, 104.0),
        }
    }

    /// For a narrow screen: the others above the piles, up the left side and down the right one; what is left over stands between
    /// the sides, from the top down.
    pub fn tall(seats: usize) -> DrawingMeasures {
        const WIDTH: f64 = 400.0;
        const ROW: f64 = 112.0;
        let others = seats.saturating_sub(1);
        // At three columns each side is as high as the middle may be; at two an odd one stands at the top by itself.
        let (columns, side) = match others {
            ..=6 => (2, others / 2),
            _ => (3, others.div_ceil(3)),
        };
        let between = others - 2 * side;
        let below = usize::from(columns == 2 && between > 0);
        let rows = side + below;
        let column = WIDTH / columns as f64;
        let spot = |other: usize| {
            let (x, row) = if other < side {
                (column / 2.0, rows - 1 - other)
            } else if other < side + between {
                (WIDTH / 2.0, other - side)
            } else {
                (WIDTH - column / 2.0, other - side - between + below)
            };
            SeatSpot { x: round(x), y: 62.0 + ROW * row as f64, width: round(column - 24.0), scale: 0.72 }
        };
        let y = ROW * rows as f64 + 98.0;
        let bottom = SeatSpot { x: WIDTH / 2.0, y: y + 168.0, width: WIDTH - 40.0, scale: 1.0 };
        let spots = [bottom].into_iter().chain((0..others).map(spot)).collect();
        DrawingMeasures { width: WIDTH, height: y + 240.0, spots, x: WIDTH / 2.0, y, ring: (130.0, 74.0) }
    }
}

fn round(units: f64) -> f64 {
    (units * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use maumau_protocol::MAX_SEATS;

    use super::*;
    use crate::cards;

    /// Half the height of a seat's place: its fan, and the plate over it.
    fn half(spot: &SeatSpot) -> f64 {
        f64::from(cards::HEIGHT) * spot.scale / 2.0 + 10.0
    }

    #[test]
    fn places_lie_within_the_drawing_and_apart_from_one_another() {
        for seats in 2..=MAX_SEATS {
            for stage in [DrawingMeasures::wide(seats), DrawingMeasures::tall(seats)] {
                assert_eq!(stage.spots.len(), seats);
                for (at, spot) in stage.spots.iter().enumerate() {
                    assert!(spot.x - spot.width / 2.0 >= 0.0 && spot.x + spot.width / 2.0 <= stage.width, "{stage:?}");
                    assert!(spot.y - half(spot) >= 0.0 && spot.y + half(spot) <= stage.height, "{stage:?}");
                    for other in &stage.spots[..at] {
                        let beside = (spot.x - other.x).abs() + 1.0 >= (spot.width + other.width) / 2.0;
                        let above = (spot.y - other.y).abs() + 1.0 >= half(spot) + half(other);
                        assert!(beside || above, "{seats} seats: {spot:?} and {other:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn seats_are_met_in_their_order_on_the_way_round_the_table() {
        for seats in 2..=8 {
            for stage in [DrawingMeasures::wide(seats), DrawingMeasures::tall(seats)] {
                // From the bottom over the left, as the hand of a clock goes; on a narrow screen the piles lie below the others.
                let middle = (stage.spots[0].y + stage.spots.iter().map(|spot| spot.y).fold(f64::MAX, f64::min)) / 2.0;
                let turns: Vec<f64> = stage
                    .spots
                    .iter()
                    .map(|spot| (stage.x - spot.x).atan2(spot.y - middle).rem_euclid(2.0 * PI))
                    .collect();
                assert!(turns.is_sorted(), "{seats} seats: {turns:?} {stage:?}");
            }
        }
    }
}
