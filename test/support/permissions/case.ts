import type { Member } from '../cast';
import type { TestApp } from '../test-app';
import type { Actor } from './actors';
import type { Channels } from './channels';

/** An action tried on an endpoint: a row of the table. */
export interface Case {
  /** The object of the action; empty if there is only one. */
  readonly about: string;
  /** @returns an outcome; several of them if the caller's relation to the channel matters */
  try(actor: Actor): Promise<string>;
}

/** The environment of cases. */
export interface World {
  readonly app: TestApp;
  readonly channels: Channels;
  /** A member who created all channels and wrote the messages in them. */
  readonly host: Member;
  /** A picture to upload. */
  readonly picture: Buffer;
  /** Hash of the cast's password. */
  readonly passwordHash: string;
  /** ID of a profile field that everyone may fill in. */
  readonly profileField: number;
}

/** Creates the cases of an endpoint on demand. */
export type CaseMaker = (world: World) => Promise<readonly Case[]> | readonly Case[];

/** Endpoints, as `VERB /path` without `/api/v1`, with their cases. */
export type CaseTable = Readonly<Record<string, CaseMaker>>;
