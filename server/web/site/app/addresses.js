// The addresses that the page links to and loads from, whatever an answer contains.

// Returns an http or https address in normal form, or null for anything else. Also null for an address with a user name
// or password, which only ever disguises itself as another.
export function webAddress(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const isOfTheWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isOfTheWeb && url.username === '' && url.password === '' ? url.href : null;
}

// Returns the address of a post's picture or video: a path on this server or a web address; null for anything else.
export function mediaAddress(text) {
  return /^\/media\/[0-9]{1,19}$/.test(text) ? text : webAddress(text);
}
