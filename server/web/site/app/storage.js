// Storage for the page, per tab or shared by all tabs. A browser may refuse to store anything, or have no room left.
// Values that it does not store stay in memory until the page is closed, so the page works while it is open.

// `find` returns the browser's storage; it throws if access is denied.
class Shelf {
  #find;
  #here = new Map();  // values that the browser did not store

  constructor(find) {
    this.#find = find;
  }

  // Returns the value stored under a name, or null.
  get(name) {
    return this.#here.get(name) ?? this.#ask((storage) => storage.getItem(name)) ?? null;
  }

  // Stores a text. Returns whether the browser stored it, so that it outlasts the page.
  set(name, text) {
    const taken = this.#ask((storage) => {
      storage.setItem(name, text);
      return true;
    }) ?? false;
    if (taken) {
      this.#here.delete(name);
    } else {
      this.#ask((storage) => storage.removeItem(name));  // its value is stale
      this.#here.set(name, text);
    }
    return taken;
  }

  remove(name) {
    this.#here.delete(name);
    this.#ask((storage) => storage.removeItem(name));
  }

  // Returns the names that begin with `prefix`.
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
