import { RateLimitHit, ServerBusy } from '../errors/request.errors';

/** Maximum queue length. Each waiting task may hold a file in memory. */
const WAITING_AT_MOST = 20;

/** Maximum for one person. */
const WAITING_OF_PERSON = 5;

interface Waiting {
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

/** Runs one task at a time, round robin by person. */
export class PictureLine {
  /** By person; the first entry has the next turn. */
  private readonly waiting = new Map<number, Waiting[]>();
  private isTaken = false;

  /**
   * @param person ID of the account whose turn it takes
   * @throws RateLimitHit when the person has too many tasks waiting, ServerBusy when the line is full
   */
  async run<T>(person: number, work: () => Promise<T>): Promise<T> {
    if (this.isTaken) await this.turnOf(person);
    this.isTaken = true;
    try {
      return await work();
    } finally {
      // The next task takes over the place.
      const next = this.next();
      if (next) next.admit();
      else this.isTaken = false;
    }
  }

  private async turnOf(person: number): Promise<void> {
    const own = this.waiting.get(person) ?? [];
    if (own.length >= WAITING_OF_PERSON) throw tooManyOfPerson();
    this.makeRoomFor(own.length);
    return new Promise((admit, refuse) => {
      own.push({ admit, refuse });
      this.waiting.set(person, own);
    });
  }

  /** When the line is full, the person with the most waiting tasks loses the last one to a person with fewer. */
  private makeRoomFor(ownLength: number): void {
    const lists = [...this.waiting.values()];
    if (lists.reduce((sum, { length }) => sum + length, 0) < WAITING_AT_MOST) return;
    const longest = lists.reduce((one, other) => (other.length > one.length ? other : one));
    if (longest.length <= ownLength + 1) throw new ServerBusy();
    longest.pop()?.refuse(tooManyOfPerson());
  }

  private next(): Waiting | undefined {
    const [entry] = this.waiting;
    if (!entry) return undefined;
    const [person, own] = entry;
    const next = own.shift();
    this.waiting.delete(person);
    if (own.length > 0) this.waiting.set(person, own);
    return next;
  }
}

function tooManyOfPerson(): RateLimitHit {
  return new RateLimitHit(5, 'Too many pictures of yours are being processed. Please wait for some of them.');
}
