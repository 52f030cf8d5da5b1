//! A table as a Parquet file: a group of rows at a time, zstd, and what codes mean in the metadata. By default with the encodings that
//! every reader knows, dictionaries and plain values. It knows columns and no
//! games.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, Result};
use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::Int32Type;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::rows::{Column, DecisionTable, Shape};

/// How hard pages are compressed.
const LEVEL: i32 = 1;
/// Bytes of a page before it is compressed: few enough to stay in the cache of a core.
const PAGE: usize = 1 << 18;
/// The key of the metadata.
const KEY: &str = "maumau";

/// A file that is being written.
pub(super) struct ParquetFile<'a> {
    writer: SerializedFileWriter<&'a mut (dyn Write + Send)>,
    columns: &'static [Column],
    /// The levels of a column; kept to be filled again.
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

impl<'a> ParquetFile<'a> {
    /// Begins a file with these columns; `dense` splits columns into bytes.
    pub(super) fn new(
        out: &'a mut (dyn Write + Send),
        columns: &'static [Column],
        dense: bool,
    ) -> Result<ParquetFile<'a>> {
        let types = columns.iter().map(type_of).collect::<parquet::errors::Result<Vec<TypePtr>>>()?;
        let schema = Type::group_type_builder("decisions").with_fields(types).build()?;
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
            .set_data_page_size_limit(PAGE)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_created_by(format!("maumau {}", env!("CARGO_PKG_VERSION")));
        if dense {
            // A page holds the first bytes of all its values, then the second, and so on. Of a small number three bytes of four are
            // zero, so zstd is quicker and files are smaller than with dictionaries or differences.
            properties = properties.set_encoding(Encoding::BYTE_STREAM_SPLIT).set_dictionary_enabled(false);
        }
        for column in columns {
            // Readers skip groups of rows by the columns that every row has a value in.
            if column.shape == Shape::One {
                properties = properties.set_column_statistics_enabled(column.name.into(), EnabledStatistics::Chunk);
            }
        }
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))?;
        Ok(ParquetFile { writer, columns, definitions: Vec::new(), repetitions: Vec::new() })
    }

    /// Writes the rows of `table` as one group.
    pub(super) fn write(&mut self, table: &DecisionTable) -> Result<()> {
        if table.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (column, values) in self.columns.iter().zip(&table.columns) {
            self.definitions.clear();
            self.repetitions.clear();
            match column.shape {
                Shape::One => {}
                Shape::Maybe => self.definitions.extend(values.counts.iter().map(|count| i16::from(*count > 0))),
                Shape::Many => {
                    for count in &values.counts {
                        // An empty list has a place of its own; a list begins with repetition 0.
                        self.definitions.push(i16::from(*count > 0));
                        self.repetitions.push(0);
                        let more = usize::from(count.saturating_sub(1));
                        self.definitions.resize(self.definitions.len() + more, 1);
                        self.repetitions.resize(self.repetitions.len() + more, 1);
                    }
                }
            }
            let definitions = (column.shape != Shape::One).then_some(self.definitions.as_slice());
            let repetitions = (column.shape == Shape::Many).then_some(self.repetitions.as_slice());
            let mut writer = group.next_column()?.with_context(|| format!("no column {}", column.name))?;
            writer.typed::<Int32Type>().write_batch(&values.there, definitions, repetitions)?;
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes the end, with the metadata.
    pub(super) fn end(mut self, metadata: &str) -> Result<()> {
        self.writer.append_key_value_metadata(KeyValue::new(KEY.to_owned(), metadata.to_owned()));
        self.writer.close()?;
        Ok(())
    }
}

/// A whole number, or a list of whole numbers that are there.
fn type_of(column: &Column) -> parquet::errors::Result<TypePtr> {
    let number = |name: &str, repetition| {
        Type::primitive_type_builder(name, Physical::INT32).with_repetition(repetition).build().map(Arc::new)
    };
    match column.shape {
        Shape::One => number(column.name, Repetition::REQUIRED),
        Shape::Maybe => number(column.name, Repetition::OPTIONAL),
        Shape::Many => {
            let element = number("element", Repetition::REQUIRED)?;
            let list = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
            let list = Arc::new(list.with_fields(vec![element]).build()?);
            let whole = Type::group_type_builder(column.name).with_repetition(Repetition::REQUIRED);
            whole.with_converted_type(ConvertedType::LIST).with_fields(vec![list]).build().map(Arc::new)
        }
    }
}
