//! Writes the JSON Schemas into `protocol/schema/`: `cargo run -p maumau-protocol --example write-schemas`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    std::fs::create_dir_all(&folder)?;
    for (name, text) in maumau_protocol::schema::files() {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
