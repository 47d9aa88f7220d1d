/**
 * The server cannot start, for a reason its operator can fix. The message says what is wrong and what to do; it is
 * shown alone, without a stack.
 */
export class StartRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
