import type { Member } from '../cast';
import type { TestApp } from '../test-app';
import type { Actor } from './actors';
import type { Channels } from './channels';

/** Something that is tried on an endpoint: a row of the table. */
export interface Case {
  /** What it is tried on; empty where there is nothing to tell apart. */
  readonly about: string;
  /** @returns an outcome; several of them, where it matters what somebody has to do with the channel */
  try(actor: Actor): Promise<string>;
}

/** What cases are tried in. */
export interface World {
  readonly app: TestApp;
  readonly channels: Channels;
  /** A member who made all channels, and wrote what is there to read. */
  readonly host: Member;
  /** A picture to upload. */
  readonly picture: Buffer;
  /** Of the password that everybody of the cast has. */
  readonly passwordHash: string;
  /** A field that everybody may fill in. */
  readonly profileField: number;
}

/** Makes the cases of an endpoint, when its turn has come. */
export type CaseMaker = (world: World) => Promise<readonly Case[]> | readonly Case[];

/** Endpoints, as `VERB /path` without `/api/v1`, and their cases. */
export type CaseTable = Readonly<Record<string, CaseMaker>>;
