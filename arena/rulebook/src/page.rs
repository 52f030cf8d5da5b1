//! Sentences in headings, paragraphs and lists; how a page is written. It knows no rules: what is said comes from its
//! neighbours.

use maumau_protocol::Pack;

use super::sentence::Sentence;
use super::words::cite;

#[derive(Default)]
pub(super) struct Page {
    /// Whether the suits of the pack are colours, and are called so.
    coloured: bool,
    blocks: Vec<PageBlock>,
    /// The part of the rules that the next sentence is about, as a key.
    part: String,
    /// The clauses that it may cite; `None` = all of the set.
    clauses: Option<Vec<String>>,
}

/// A part of the rules in words, for pages with a form of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passage {
    /// What the page is called.
    Title(String),
    /// It stands over what follows.
    Heading(String),
    /// Sentences, each with the clauses to cite after it.
    Paragraph(Vec<(String, Vec<String>)>),
    /// The same, as an item of a list.
    Item(Vec<(String, Vec<String>)>),
}

pub(super) struct PageBlock {
    pub(super) form: Form,
    pub(super) sentences: Vec<Sentence>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Title(String),
    Heading(String),
    Paragraph,
    Item,
}

impl Page {
    /// An empty page about a game with `pack`.
    pub(super) fn new(pack: Pack) -> Page {
        Page { coloured: pack != Pack::French, ..Page::default() }
    }

    pub(super) fn title(&mut self, text: &str) {
        self.block(Form::Title(text.to_owned()));
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.block(Form::Heading(text.to_uppercase()));
    }

    /// The next sentence begins a paragraph.
    pub(super) fn paragraph(&mut self) -> &mut Page {
        self.block(Form::Paragraph);
        self
    }

    /// The next sentence begins an item of a list.
    pub(super) fn item(&mut self) -> &mut Page {
        self.block(Form::Item);
        self
    }

    /// The next sentences of the paragraph or item are about a part of the rules.
    pub(super) fn about(&mut self, part: impl Into<String>) -> &mut Page {
        self.part = part.into();
        self
    }

    /// The next sentences of the paragraph or item may cite no other clauses.
    pub(super) fn cite_only(&mut self, clauses: &[String]) {
        self.clauses = Some(clauses.to_vec());
    }

    /// Adds a sentence to the paragraph.
    #[track_caller]
    pub(super) fn say(&mut self, text: impl Into<String>) -> &mut Sentence {
        let text: String = text.into();
        let text = if self.coloured { text.replace("suit", "colour") } else { text };
        let sentence = Sentence::new(text, &self.part, self.clauses.clone());
        let has_place = matches!(self.blocks.last(), Some(PageBlock { form: Form::Paragraph | Form::Item, .. }));
        if !has_place {
            self.block(Form::Paragraph);
        }
        let at = self.blocks.len() - 1;
        let sentences = &mut self.blocks[at].sentences;
        sentences.push(sentence);
        let at = sentences.len() - 1;
        &mut sentences[at]
    }

    fn block(&mut self, form: Form) {
        self.part.clear();
        self.clauses = None;
        self.blocks.push(PageBlock { form, sentences: Vec::new() });
    }

    /// All sentences in order.
    pub(super) fn sentences(self) -> Vec<Sentence> {
        self.blocks.into_iter().flat_map(|block| block.sentences).collect()
    }

    /// The page in passages; `cited` as in [`Page::write`].
    pub(super) fn passages(self, cited: impl Fn(&Sentence) -> Vec<String>) -> Vec<Passage> {
        let passage = |block: PageBlock| {
            let said = || block.sentences.iter().map(|own| (own.text().to_owned(), cited(own))).collect();
            match &block.form {
                Form::Title(title) => Passage::Title(title.clone()),
                Form::Heading(heading) => Passage::Heading(heading.clone()),
                Form::Paragraph => Passage::Paragraph(said()),
                Form::Item => Passage::Item(said()),
            }
        };
        self.blocks.into_iter().map(passage).collect()
    }

    /// The page as text in lines of at most `width` characters, unless a word is longer; `cited` gives the clauses to print
    /// after a sentence.
    pub(super) fn write(self, width: usize, cited: impl Fn(&Sentence) -> Vec<String>) -> String {
        let mut text = String::new();
        let mut before = Form::Paragraph;
        for block in self.blocks {
            let body = written(&block, &cited);
            if before == Form::Item && block.form != Form::Item {
                text.push('\n');
            }
            match &block.form {
                Form::Title(title) => {
                    text += &format!("{title}\n{}\n\n", "=".repeat(title.chars().count()));
                }
                Form::Heading(heading) => text += &format!("{heading}\n"),
                Form::Paragraph if body.is_empty() => {}
                Form::Paragraph => {
                    wrapped(&mut text, &body, width, ["  ", "  "]);
                    text.push('\n');
                }
                Form::Item => wrapped(&mut text, &body, width, ["  - ", "    "]),
            }
            before = block.form;
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

/// The sentences with their clauses, which are printed once for several sentences in a row that state the same.
fn written(block: &PageBlock, cited: &impl Fn(&Sentence) -> Vec<String>) -> String {
    let all: Vec<Vec<String>> = block.sentences.iter().map(cited).collect();
    let mut parts = Vec::new();
    for (at, sentence) in block.sentences.iter().enumerate() {
        let again = all.get(at + 1).is_some_and(|next| *next == all[at]);
        let clauses = if again { String::new() } else { cite(&all[at]) };
        let text = sentence.text();
        let open = text.trim_end_matches(['.', ':']);
        parts.push(format!("{open}{clauses}{}", &text[open.len()..]));
    }
    parts.join(" ")
}

fn wrapped(page: &mut String, text: &str, width: usize, [first, rest]: [&str; 2]) {
    let mut line = first.to_owned();
    let mut fresh = true;
    for word in text.split_whitespace() {
        if !fresh && line.chars().count() + 1 + word.chars().count() > width {
            page.push_str(&line);
            page.push('\n');
            line = rest.to_owned();
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        line.push_str(word);
        fresh = false;
    }
    page.push_str(&line);
    page.push('\n');
}
