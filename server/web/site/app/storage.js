// What the browser keeps for the page: for this tab, or for all of them. A browser may refuse to keep anything, or have
// no room left. What it does not take is kept here until the page is closed, so the page works as long as it is open.

// `find` gives the browser's storage; it throws where that is denied.
class Shelf {
  #find;
  #here = new Map();  // what the browser did not take

  constructor(find) {
    this.#find = find;
  }

  // What was kept under a name, or null.
  get(name) {
    return this.#here.get(name) ?? this.#ask((storage) => storage.getItem(name)) ?? null;
  }

  // Keeps a text. Returns whether the browser took it, so that it outlasts the page.
  set(name, text) {
    const taken = this.#ask((storage) => {
      storage.setItem(name, text);
      return true;
    }) ?? false;
    if (taken) {
      this.#here.delete(name);
    } else {
      this.#ask((storage) => storage.removeItem(name));  // what it has is old
      this.#here.set(name, text);
    }
    return taken;
  }

  remove(name) {
    this.#here.delete(name);
    this.#ask((storage) => storage.removeItem(name));
  }

  // The names that begin so.
  names(prefix) {
    const kept = this.#ask((storage) => Object.keys(storage)) ?? [];
    return [...new Set([...kept, ...this.#here.keys()])].filter((name) => name.startsWith(prefix));
  }

  #ask(question) {
    try {
      return question(this.#find());
    } catch {
      return undefined;
    }
  }
}

export const ofTab = new Shelf(() => sessionStorage);
export const ofBrowser = new Shelf(() => localStorage);
