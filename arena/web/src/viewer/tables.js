// @ts-check
// Sorts tables by the column that a reader chooses, and hides rows that do not hold what is searched for. The order of the server
// comes back with the third click.

/** What a cell is compared by: its number, if it begins with one. @param {Element | undefined} cell */
function valueOf(cell) {
  const text = (cell?.textContent ?? '').trim();
  const number = Number.parseFloat(text.replace(/^[^\d+\-−.]*/, '').replace('−', '-').replace(/,/g, ''));
  return { text, number: /^[^\p{L}]*\d/u.test(text) && !Number.isNaN(number) ? number : null };
}

/** @param {HTMLTableRowElement} row @param {number} column */
function cellOf(row, column) {
  return row.cells[column];
}

/** Sorts a table. @param {HTMLTableElement} table @param {number} column @param {'ascending' | 'descending' | 'none'} order */
export function sortTable(table, column, order) {
  for (const body of table.tBodies) {
    const rows = [...body.rows];
    rows.forEach((row, at) => (row.dataset.place ??= `${at}`));
    const place = (/** @type {HTMLTableRowElement} */ row) => Number(row.dataset.place);
    rows.sort((one, other) => {
      if (order === 'none') return place(one) - place(other);
      const [left, right] = [valueOf(cellOf(one, column)), valueOf(cellOf(other, column))];
      const by = left.number !== null && right.number !== null ? left.number - right.number : left.text.localeCompare(right.text);
      return (order === 'ascending' ? by : -by) || place(one) - place(other);
    });
    body.append(...rows);
  }
}

/** Makes the heads of a table buttons. @param {HTMLTableElement} table */
function prepare(table) {
  const heads = /** @type {HTMLTableCellElement[]} */ ([...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])]);
  const spans = heads.some((head) => head.colSpan > 1 || head.rowSpan > 1) || [...table.tBodies].some((body) => body.rows.length > 0 && body.rows[0].cells.length !== heads.length);
  if (spans || table.tBodies.length === 0 || (table.tBodies[0].rows.length < 2 && !table.tBodies[0].id)) return;
  heads.forEach((head, column) => {
    // A drawn column has its scale in its head, and is in the order of the number beside it.
    if (!head.textContent?.trim() || head.querySelector('a, button, svg')) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.append(...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const order = head.ariaSort === 'ascending' ? 'descending' : head.ariaSort === 'descending' ? 'none' : 'ascending';
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      if (order !== 'none') head.ariaSort = order;
      sortTable(table, column, order);
    });
  });
}

/** A field over a long table that hides rows. @param {HTMLTableElement} table */
function addSearch(table) {
  if (table.tBodies[0]?.rows.length < 8 || table.closest('.filterable')) return;
  const label = document.createElement('label');
  label.className = 'search';
  const field = document.createElement('input');
  field.type = 'search';
  label.append('Filter ', field);
  (table.closest('.wide') ?? table).before(label);
  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !(row.textContent ?? '').toLowerCase().includes(wanted);
  });
}

/** Prepares all tables of a part of the page. @param {ParentNode} part */
export function prepareTables(part) {
  for (const table of part.querySelectorAll('table')) {
    prepare(table);
    addSearch(table);
  }
}

prepareTables(document);

// A list without games goes on by itself.
const next = document.getElementById('goes-on') && document.querySelector('a[rel=next]');
if (next instanceof HTMLAnchorElement) location.replace(next.href);

// What is being computed is there soon; pages that move look for it themselves.
if (document.getElementById('partial') && !document.getElementById('progress')) setTimeout(() => location.reload(), 2000);

// Sections far below are laid out when the page stands: pictures of the whole page show them.
addEventListener('load', () => setTimeout(() => document.documentElement.classList.add('settled')));
