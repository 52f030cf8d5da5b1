//! Seats of people: who sits where, what each is shown, what each has chosen. A seat is taken by the button of the link that holds
//! its token, once, until the organiser frees it; what its page says and what its choices mean is between the page and the agent that plays for the person.

mod page;
mod place;

pub(crate) use page::{
    LESSON_SCRIPT_PATH, SEAT_SCRIPT_PATH, SEAT_STYLE, SeatPage, board, door_page, lesson_script, organiser_page,
    seat_extras, seat_page, seat_script,
};
pub(crate) use place::{SeatEntry, SeatNews, Sitting};
pub use place::{Seats, WebSeat};
