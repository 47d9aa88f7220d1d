import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import {
  LENIENT,
  type CreatedPictures,
  type PictureHeader,
  type PictureRecipe,
  STRICT,
} from './picture-limits';
import { PictureProcess } from './picture-process';
import type { PictureRequest } from './picture-worker';
import { BadImage, PictureTakesTooMuch, PictureTooLarge, TooManyFrames } from './pictures.errors';
import { RateLimitHit, ServerBusy } from '../errors/request.errors';

/** Maximum queue length. Each waiting task may hold a file in memory. */
const WAITING_AT_MOST = 20;

/** Maximum queue length per person. */
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

/** A queue of pictures and the process that decodes them. */
class Lane {
  readonly process = new PictureProcess();
  private readonly line = new PictureLine();

  async ask(person: number, request: PictureRequest) {
    const limits = request.isLenient ? LENIENT : STRICT;
    const answer = await this.line.run(person, () => this.process.ask(request, limits.maxSeconds * 1000));
    if (!('refusal' in answer)) return answer;
    switch (answer.refusal) {
      case 'too many frames':
        throw new TooManyFrames(limits.maxFrames);
      case 'too many pixels':
        throw new PictureTooLarge(limits.maxPixels, answer.isAnimated);
      case 'too much memory':
        throw new PictureTakesTooMuch();
      default:
        throw new BadImage();
    }
  }
}

/**
 * Decodes uploaded pictures in child processes, round robin by person (a bot counts as its owner). Store only the
 * results: anything hidden in the uploaded file is then gone.
 */
@Injectable()
export class Pictures implements OnApplicationShutdown {
  /** Headers, avatars, icon and logos, which users wait for. */
  private readonly awaited = new Lane();
  /** Emoji and thumbnails, which are numerous and can be slow. */
  private readonly others = new Lane();

  /**
   * Makes avatars and pictures of the organization, which do not queue behind emoji and thumbnails.
   * @throws BadImage, TooManyFrames, PictureTooLarge, PictureTakesTooLong, PictureTakesTooMuch, RateLimitHit,
   *   ServerBusy
   */
  async portray<Name extends string>(
    person: number,
    file: Buffer,
    recipe: PictureRecipe<Name>,
  ): Promise<CreatedPictures<Name>> {
    return (await this.awaited.ask(person, { file, isLenient: false, recipe })).made;
  }

  /** As {@link portray}, for other pictures. @throws the same */
  async make<Name extends string>(
    person: number,
    file: Buffer,
    recipe: PictureRecipe<Name>,
  ): Promise<CreatedPictures<Name>> {
    return (await this.others.ask(person, { file, isLenient: false, recipe })).made;
  }

  /**
   * As {@link make}, for stored files and in the background: accepts larger pictures and more formats, and truncates
   * long animations.
   * @param path a file whose content never changes
   * @throws BadImage, PictureTakesTooLong, PictureTakesTooMuch, RateLimitHit, ServerBusy
   */
  async makeOfFile<Name extends string>(
    person: number,
    path: string,
    recipe: PictureRecipe<Name>,
  ): Promise<CreatedPictures<Name>> {
    return (await this.others.ask(person, { file: path, isLenient: true, recipe })).made;
  }

  /**
   * Reads the header of a file on disk, without decoding the picture.
   * @throws BadImage if {@link makeOfFile} would not decode it, RateLimitHit, ServerBusy
   */
  async examine(person: number, path: string): Promise<PictureHeader> {
    return (await this.awaited.ask(person, { file: path, isLenient: true, recipe: null })).header;
  }

  onApplicationShutdown(): void {
    this.awaited.process.close();
    this.others.process.close();
  }
}

/**
 * A square picture of shapes and colors generated from the seed, on a transparent background, as PNG. A large one takes
 * some hundredths of a second, so cache the result.
 * @param side in pixels
 */
export function drawnPicture(seed: string, side: number): Buffer {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- it takes several MiB, and what it draws is kept
  const { toPng } = require('jdenticon') as typeof import('jdenticon');
  return toPng(seed, side);
}

/** Decodes and resizes pictures that users upload. */
@Global()
@Module({ providers: [Pictures], exports: [Pictures] })
export class PicturesModule {}
