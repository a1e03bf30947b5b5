// The time by the clock of the server, which the times of posts are from. That of the computer in front of the reader
// may be hours off.

let ahead = 0;  // milliseconds that the server is ahead

export const serverNow = () => Date.now() + ahead;

// Takes in the time at which an answer was made. It is told in whole seconds, so a clock that agrees with it is left alone.
export function learnTime(date) {
  const told = Date.parse(date);
  if (Number.isNaN(told)) return;
  const difference = told - Date.now();
  ahead = Math.abs(difference) > 2000 ? difference : 0;
}
