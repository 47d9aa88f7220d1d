import { Injectable } from '@nestjs/common';
import { addTo } from '../../../platform/collections';
import { Directories, Directory } from '../../../platform/events/directories';
import type { Queryable } from '../../../platform/sql/queryable';

/** Characters that may precede a word: clients highlight alert words by the same rule. */
const BEFORE = /[\s\p{Ps}\p{Pi}\p{Pf}"'.,;*`>|¡¿…–—]/gu;

/** Characters that may follow a word. */
const AFTER = /[\s\p{Pe}\p{Pi}\p{Pf}"'.,;:?!*`<|…–—]/gu;

/** The words with the same prefix. There are very many nodes, so each stores no more than necessary. */
interface Node {
  /** Owners of the word that ends at this node. */
  owners: number[];
  next?: Map<string, Node>;
}

/** A key that is equal for equivalent words: ignores case and the composition of accents. */
export function wordKey(word: string): string {
  return word.normalize('NFC').toLowerCase();
}

/**
 * An index of very many words and phrases of many people, which finds them in one pass over a text. A word matches only
 * as a whole: `soup` is in `(Soup!)`, but neither in `soups` nor in `/soup`.
 *
 * A tree whose edges are pieces of text, each up to the next position where a word may end. A text is matched from each
 * position where a word may start, for as long as some word continues that way; most often that is one lookup in a map.
 */
export class WordIndex {
  private readonly root: Node = { owners: [] };
  /** Length of the longest word ever added. */
  private longest = 0;

  /** Each word may be added only once per owner. */
  add(word: string, owner: number): void {
    const key = wordKey(word);
    this.longest = Math.max(this.longest, key.length);
    let node = this.root;
    for (const step of steps(key)) {
      node.next ??= new Map();
      let next = node.next.get(step);
      if (!next) node.next.set(step, (next = { owners: [] }));
      node = next;
    }
    node.owners.push(owner);
  }

  remove(word: string, owner: number): void {
    prune(this.root, steps(wordKey(word)), owner);
  }

  /** The owners of the words in the text. */
  ownersIn(text: string): Set<number> {
    const found = new Set<number>();
    if (!this.root.next) return found;
    const key = wordKey(text);
    const ends = endsOf(key);
    let first = 0;
    for (const start of startsOf(key)) {
      while (ends[first]! <= start) first += 1;
      this.walk(key, start, ends, first, found);
    }
    return found;
  }

  private walk(key: string, start: number, ends: readonly number[], first: number, found: Set<number>): void {
    let node: Node | undefined = this.root;
    let from = start;
    for (let at = first; at < ends.length; at += 1) {
      const end = ends[at]!;
      if (end - start > this.longest) return;
      node = node.next?.get(key.slice(from, end));
      if (!node) return;
      for (const owner of node.owners) found.add(owner);
      from = end;
    }
  }
}

/** Positions where words may start, ascending, without the end of the text. */
function startsOf(key: string): number[] {
  const starts = Array.from(key.matchAll(BEFORE), ({ index }) => index + 1);
  return [0, ...starts].filter((start) => start < key.length);
}

/** Positions where words may end, ascending, including the end of the text. */
function endsOf(key: string): number[] {
  return [...Array.from(key.matchAll(AFTER), ({ index }) => index), key.length];
}

function steps(key: string): string[] {
  const cuts = [0, ...endsOf(key).filter((end) => end > 0)];
  return cuts.slice(1).map((end, at) => key.slice(cuts[at], end));
}

/** @returns whether the node is now empty */
function prune(node: Node, [step, ...rest]: readonly string[], owner: number): boolean {
  if (step === undefined) {
    node.owners = node.owners.filter((each) => each !== owner);
  } else {
    const next = node.next?.get(step);
    if (next && prune(next, rest, owner)) node.next?.delete(step);
  }
  if (node.next?.size === 0) node.next = undefined;
  return node.owners.length === 0 && !node.next;
}

interface Row {
  user_id: number;
  word: string;
}

const ALL_WORDS = 'SELECT user_id, word FROM alert_word';

/** Everyone's alert words in memory, so that sending a message reads no table. Touched by the IDs of their owners. */
@Injectable()
export class AlertWordDirectory extends Directory {
  readonly name = 'alert_words';

  private readonly words = new Map<number, string[]>();
  private index = new WordIndex();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** A person's words as entered, in the order in which they were added. */
  wordsOf(userId: number): readonly string[] {
    return this.words.get(userId) ?? [];
  }

  /** Everyone with a word that occurs in the text. */
  alertedBy(text: string): ReadonlySet<number> {
    return this.index.ownersIn(text);
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<Row>(`${ALL_WORDS} ORDER BY id`);
    this.words.clear();
    this.index = new WordIndex();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db.query<Row>(`${ALL_WORDS} WHERE user_id IN (?) ORDER BY id`, [ids]);
    for (const userId of ids) {
      for (const word of this.wordsOf(userId)) this.index.remove(word, userId);
      this.words.delete(userId);
    }
    this.keep(rows);
  }

  private keep(rows: readonly Row[]): void {
    for (const { user_id: userId, word } of rows) {
      addTo(this.words, userId, word);
      this.index.add(word, userId);
    }
  }
}
