// Mentions, hashtags and links in a text, by the rules the server has for mentions and hashtags:
// neither is found inside a word, an e-mail address or a URL, and each ends where its word ends.

const USERNAME_MAX = 15;
const TAG_MAX = 100;

const WORD = /[\p{L}\p{M}\p{N}_]/u;
const TAG = /[\p{L}\p{M}\p{Nd}_]/u;
const LETTER = /\p{L}/u;
const MARK = /\p{M}/u;
const NAME = /[A-Za-z0-9_]/;
const BINDS = /[@#&$%+=\p{L}\p{M}\p{N}_]/u;
const HOST = /[\p{L}\p{M}\p{Nd}-]/u;
const ENDS_URL = /[<>"\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const SCHEMES = ['http://', 'https://', 'www.'];
// What closes a sentence rather than a URL.
const TRAILING = /[.,;:!?'’”»)\]}]+$/u;

// The parts of a text in order: {kind: 'text' | 'mention' | 'hashtag' | 'link', text, value}.
// `value` is the name, the folded tag, or the address.
export function partsOf(text) {
  return new Reader(text.normalize('NFC')).read();
}

// As two tags are compared: without case.
export const foldedTag = (tag) => tag.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

class Reader {
  constructor(text) {
    this.points = [...text];
    this.at = 0;
    this.done = 0;  // up to where the text is in parts
    this.parts = [];
  }

  read() {
    while (this.at < this.points.length) {
      const end = this.urlEnd();
      if (end > 0) {
        this.link(end);
        this.at = end;
        continue;
      }
      const open = this.at === 0 || !BINDS.test(this.points[this.at - 1]);
      const found = open && (this.entity('@') ?? this.entity('#'));
      if (found) {
        this.add(found.kind, this.at, found.end, found.value);
        this.at = found.end;
      } else {
        ++this.at;
      }
    }
    this.plain(this.points.length);
    return this.parts;
  }

  entity(sign) {
    if (this.points[this.at] !== sign) return null;
    return sign === '@' ? this.mention() : this.hashtag();
  }

  mention() {
    const begin = this.at + 1;
    const end = this.runEnd(begin, (c) => NAME.test(c));
    if (end === begin || end - begin > USERNAME_MAX) return null;
    const behind = this.points[end];
    if (behind !== undefined && (behind === '@' || WORD.test(behind))) return null;
    return { kind: 'mention', end, value: this.slice(begin, end) };
  }

  hashtag() {
    const begin = this.at + 1;
    const end = this.runEnd(begin, (c) => TAG.test(c));
    if (end === begin || end - begin > TAG_MAX || MARK.test(this.points[begin])) return null;
    if (end < this.points.length && WORD.test(this.points[end])) return null;
    const tag = this.slice(begin, end);
    return LETTER.test(tag) ? { kind: 'hashtag', end, value: foldedTag(tag) } : null;
  }

  urlEnd() {
    if (this.at > 0) {
      const before = this.points[this.at - 1];
      if (WORD.test(before) || before === '@' || before === '-' || before === '.') return 0;
    }
    if (!WORD.test(this.points[this.at])) return 0;
    const begins = SCHEMES.some((scheme) => this.standsHere(scheme)) || this.isHostAndPath();
    return begins ? this.runEnd(this.at, (c) => !ENDS_URL.test(c)) : 0;
  }

  isHostAndPath() {
    const end = this.hostEnd();
    return end !== 0 && this.points[end] === '/';
  }

  // One past a host name that begins here: labels with dots between them, the last of letters.
  hostEnd() {
    for (let begin = this.at, labels = 0;; ++labels) {
      const end = this.runEnd(begin, (c) => HOST.test(c));
      if (end === begin) return 0;
      if (this.points[end] !== '.') {
        const letters = this.runEnd(begin, (c) => LETTER.test(c)) === end;
        return labels > 0 && letters && end - begin >= 2 ? end : 0;
      }
      begin = end + 1;
    }
  }

  // A URL becomes a link if it is an address of the web; what closes the sentence is not part of it.
  link(end) {
    const whole = this.slice(this.at, end);
    const shown = whole.replace(TRAILING, '');
    const address = webAddress(/^https?:\/\//i.test(shown) ? shown : `https://${shown}`);
    if (address === null) return;
    this.add('link', this.at, this.at + [...shown].length, address);
  }

  add(kind, begin, end, value) {
    this.plain(begin);
    this.parts.push({ kind, text: this.slice(begin, end), value });
    this.done = end;
  }

  plain(end) {
    if (end > this.done) this.parts.push({ kind: 'text', text: this.slice(this.done, end) });
    this.done = end;
  }

  runEnd(begin, is) {
    let end = begin;
    while (end < this.points.length && is(this.points[end])) ++end;
    return end;
  }

  standsHere(word) {
    return this.slice(this.at, this.at + word.length).toLowerCase() === word;
  }

  slice(begin, end) {
    return this.points.slice(begin, end).join('');
  }
}

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
