import type { Draft } from './draft.entity';

/** Where a draft goes: to a channel, to people, or nowhere yet. */
export type DraftType = 'stream' | 'private' | '';

/** A draft as its owner sees it. */
export interface DraftWire {
  readonly id: number;
  readonly type: DraftType;
  /** One channel, the people except for the owner, or nobody. */
  readonly to: readonly number[];
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /** When it was edited, in UNIX seconds. */
  readonly timestamp: number;
}

/** The record of a draft. */
export function draftWire({ id, channelId, recipientIds, topic, content, editedAt }: Draft): DraftWire {
  const people = JSON.parse(recipientIds) as number[];
  const timestamp = Math.floor(editedAt / 1000);
  if (channelId !== null) return { id, type: 'stream', to: [channelId], topic, content, timestamp };
  return { id, type: people.length > 0 ? 'private' : '', to: people, topic, content, timestamp };
}
