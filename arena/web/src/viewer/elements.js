// @ts-check
// Makes elements. Text of others becomes text nodes here, and never markup.

/** @typedef {Record<string, string | number | boolean | undefined>} Attributes */

/** @param {Element} element @param {Attributes} attributes @param {(Node | string)[]} children */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

/** An element of HTML. @param {string} name @param {Attributes} [attributes] @param {...(Node | string)} children */
export function html(name, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (filled(document.createElement(name), attributes, children));
}

/** An element of SVG. @param {string} name @param {Attributes} [attributes] @param {...(Node | string)} children */
export function svg(name, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children));
}

/** The element of the page with this id. @param {string} id @returns {any} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** A card in a sentence. @param {{name: string, short: string}} card @param {string} code */
export function cardInText(card, code) {
  return html('span', { class: `card suit-${code[1]}`, role: 'img', 'aria-label': card.name }, card.short);
}
