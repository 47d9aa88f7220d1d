/** An edit as its row tells; what it did not change is null. */
export interface StoredEdit {
  readonly id: number;
  readonly messageId: number;
  readonly userId: number;
  /** UNIX seconds. */
  readonly editedAt: number;
  readonly prevContent: string | null;
  readonly prevRenderedContent: string | null;
  readonly prevTopic: string | null;
  readonly topic: string | null;
  readonly prevChannelId: number | null;
  readonly channelId: number | null;
}

/** Who may see what of edits: an organization's choice. */
export type Visibility = 'all' | 'moves' | 'none';

/** What may be seen of edits: where only moves may, edits of content are left out and say nothing of it. */
export function visibleEdits(edits: readonly StoredEdit[], visibility: Visibility): StoredEdit[] {
  if (visibility === 'none') return [];
  if (visibility === 'all') return [...edits];
  return edits
    .filter(({ prevTopic, prevChannelId }) => prevTopic !== null || prevChannelId !== null)
    .map((edit) => ({ ...edit, prevContent: null, prevRenderedContent: null }));
}
