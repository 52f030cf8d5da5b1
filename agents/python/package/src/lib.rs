//! The module `maumau._native`: the border between Python and the environment. It checks what comes from Python, turns
//! mistakes into exceptions of the right kind with the texts of the command line, and keeps no rule of its own.

mod batch;
mod bots;
mod game;
mod observer;
mod reader;
mod replay;
mod score;
mod signals;
mod spec;

use pyo3::prelude::*;

/// The border between Python and the environment. It was never tried without the lock of the interpreter, so it asks for it.
#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("ENCODING_VERSION", maumau_environment::VERSION)?;
    module.add("RULE_SETS", spec::names())?;
    module.add("BOTS", bots::names())?;
    module.add("IllegalAction", module.py().get_type::<spec::IllegalAction>())?;
    module.add_class::<spec::Spec>()?;
    module.add_function(wrap_pyfunction!(bots::net_weights, module)?)?;
    module.add_function(wrap_pyfunction!(spec::unpacked_spec, module)?)?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<observer::Observer>()?;
    module.add_class::<bots::Player>()?;
    module.add_class::<reader::Reader>()?;
    module.add_class::<score::MatchTest>()?;
    module.add_function(wrap_pyfunction!(score::estimate, module)?)?;
    module.add_class::<replay::Replay>()?;
    module.add_function(wrap_pyfunction!(replay::verify, module)?)?;
    module.add_function(wrap_pyfunction!(replay::decisions, module)?)?;
    Ok(())
}
