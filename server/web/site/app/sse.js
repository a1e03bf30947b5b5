// Parses server-sent events from pieces of text, as they arrive.

// Reads a stream of bytes to its end. `onEvent` gets {id, event, data} of each event, `onId` each
// id on its own; `onLife` is called for any input, including heartbeats.
export async function readEvents(body, { onEvent, onId, onLife }) {
  const parser = new EventParser(onEvent, onId);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onLife();
    parser.take(value);
  }
}

export class EventParser {
  constructor(onEvent, onId) {
    this.onEvent = onEvent;
    this.onId = onId;
    this.rest = '';
    this.clear();
  }

  take(text) {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop();
    for (const line of lines) this.line(line);
  }

  line(line) {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return;  // a comment
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.data.push(value);
    if (field === 'event') this.event = value;
    if (field === 'id') this.id = value;
  }

  dispatch() {
    const { id, event, data } = this;
    this.clear();
    if (data.length > 0) this.onEvent({ id, event, data: data.join('\n') });
    if (id !== null) this.onId(id);
  }

  clear() {
    this.id = null;
    this.event = 'message';
    this.data = [];
  }
}
