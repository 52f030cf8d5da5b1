//! The referee without processes: scripts of inputs, and their effects. Real processes and pipes are tested in
//! `tests/e2e` and `tests/torture`.

mod calls;
mod clock;
mod crash;
mod damage;
mod decisions;
mod faults;
mod forged;
mod hidden;
mod honest;
mod live;
mod long_lines;
mod missed;
mod order;
mod record;
mod seats;
mod silence;
mod stderr;
mod story;
mod table;
mod times;
mod void;
mod wants;
