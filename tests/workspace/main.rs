//! What holds of the repository itself: arrows between crates and modules, headers, citations, paths in documents, workflows.
//! These tests read sources and manifests and start no program but cargo. One target, so that it is linked once.

mod clause_coverage;
mod crate_arrows;
mod document_paths;
mod file_headers;
mod module_arrows;
mod tree;
mod type_names;
mod workflows;
