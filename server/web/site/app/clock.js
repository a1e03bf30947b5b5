// The time of the server's clock, which the times of posts use. The clock of the reader's computer
// may be hours off.

let ahead = 0;  // milliseconds by which the server's clock is ahead

export const serverNow = () => Date.now() + ahead;

// Learns the server's time from an answer. It has whole seconds, so two seconds or less do not count.
export function learnTime(date) {
  const told = Date.parse(date);
  if (Number.isNaN(told)) return;
  const difference = told - Date.now();
  ahead = Math.abs(difference) > 2000 ? difference : 0;
}
