// Which addresses the page links to and loads from, whatever an answer says.

// An address with http or https, in its normal form; null for any other, and for one that begins
// with a name and a password, which only ever passes itself off as another.
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

// The address of a picture or video of a post: a path of this server, or of the web; null for any
// other.
export function mediaAddress(text) {
  return /^\/media\/[0-9]{1,19}$/.test(text) ? text : webAddress(text);
}
