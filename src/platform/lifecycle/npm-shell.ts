const EVERY_MS = 500;

/**
 * Under `npx` and `npm start` there is a shell between npm and this process. It ends on the signals that npm gives it, and
 * passes none on, so its end is the signal. The process of nobody else goes on when whoever started it has ended.
 * @param isUnderNpm whether npm started this process
 * @param onEnd called once, when the shell has ended
 */
export function whenNpmShellEnds(isUnderNpm: boolean, onEnd: () => void): void {
  if (!isUnderNpm) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    onEnd();
  }, EVERY_MS).unref();
}
