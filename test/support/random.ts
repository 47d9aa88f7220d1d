/** Random choices determined by a seed, so that failures can be reproduced. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** An integer from 0 up to, but excluding, the limit (mulberry32). */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** @throws Error if there is nothing to choose from */
  of<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new NothingToChoose();
    return items[this.below(items.length)] as Item;
  }

  /** Between none and this many of the items, each once. */
  some<Item>(items: readonly Item[], most = 3): Item[] {
    const left = [...items];
    const count = Math.min(this.below(most + 1), left.length);
    return Array.from({ length: count }, () => left.splice(this.below(left.length), 1)[0] as Item);
  }
}

/** There is nothing to choose from yet. */
export class NothingToChoose extends Error {}
