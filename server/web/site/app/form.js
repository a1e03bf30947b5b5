// Forms: fields with their names and the server's error for each.

import { h, button, freshId, show } from './dom.js';

// The rule for new passwords. The server counts bytes: a letter of a to z has one, others have
// more, so eight characters are always enough.
export const PASSWORD_HINT = '8 to 72 characters. Letters with accents, other scripts and emoji count as more than one.';

// A labelled field. `control` is an input, a textarea or a select; its name is that of the field in the request. `hint`
// belongs to its description. `data-missing` is the message for a required field that is empty.
export function field(label, control, hint) {
  const id = control.id || freshId('field');
  const hintId = freshId('hint');
  const errorId = freshId('error');
  control.id = id;
  control.setAttribute('aria-describedby', `${hintId} ${errorId}`);
  return h('div', { class: 'field' },
           h('label', { for: id }, label), control.type === 'password' ? shown(control) : control,
           h('p', { class: 'hint', id: hintId }, hint),
           h('p', { class: 'error', id: errorId, 'data-error-for': control.name }));
}

// A password field with a button that shows the typed text.
function shown(control) {
  const reveal = button('Show', () => {
    const isHidden = control.type === 'password';
    control.type = isHidden ? 'text' : 'password';
    show(reveal, isHidden ? 'Hide' : 'Show');
    reveal.setAttribute('aria-pressed', String(isHidden));
    control.focus();
  }, { kind: 'quiet small reveal', 'aria-label': 'Show the password', 'aria-pressed': 'false' });
  return h('div', { class: 'secret' }, control, reveal);
}

// A form whose `run(values)` gets the values of the fields. While it runs the form is busy. A
// problem is shown at the fields it names, otherwise at the foot of the form.
export function form(contents, verb, run, { kind = 'primary', attributes } = {}) {
  const trouble = h('p', { class: 'error', role: 'alert' });
  const submit = h('button', { type: 'submit', class: `button ${kind}` }, verb);
  const element = h('form', { class: 'form', novalidate: true, ...attributes, on: { submit: onSubmit } },
                    contents, trouble, h('div', { class: 'row end' }, submit));

  async function onSubmit(event) {
    event.preventDefault();
    clear();
    const errors = [...element.elements].filter((control) => control.required && control.value.trim() === '')
      .map(({ name, dataset }) => ({ field: name, message: dataset.missing ?? 'Fill in this field' }));
    if (errors.length > 0) return blame({ errors });
    submit.disabled = true;
    element.setAttribute('aria-busy', 'true');
    try {
      await run(Object.fromEntries(new FormData(element)), element);
    } catch (error) {
      blame(error);
    } finally {
      submit.disabled = false;
      element.removeAttribute('aria-busy');
    }
  }

  function clear() {
    show(trouble);
    for (const place of element.querySelectorAll('[data-error-for]')) show(place);
    for (const control of element.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
  }

  function blame(error) {
    const elsewhere = [];
    let first = null;
    for (const { field: name, message: words } of error.errors ?? []) {
      const place = element.querySelector(`[data-error-for="${CSS.escape(name)}"]`);
      const control = element.elements[name];
      if (!place || !control) {
        elsewhere.push(`${name} ${words}`);
        continue;
      }
      show(place, sentence(words));
      control.setAttribute('aria-invalid', 'true');
      first ??= control;
    }
    if (first === null || elsewhere.length > 0) show(trouble, elsewhere.length > 0 ? elsewhere.join('; ') : waiting(error));
    first?.focus();
  }
  return element;
}

const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`.replace(/\.\.$/, '.');

function waiting(error) {
  if (error.status !== 429) return error.message;
  return `${error.message} Try again in ${error.retryAfter} s.`;
}
