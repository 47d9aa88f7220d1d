/** A message as its row and that of its topic tell. */
export interface ExportedMessage {
  readonly id: number;
  readonly sender_id: number;
  readonly channel_id: number | null;
  readonly sent_channel_id: number | null;
  readonly topic_id: number | null;
  readonly topic_name: string | null;
  readonly conversation_id: number | null;
  readonly content: string;
  readonly rendered_content: string;
  readonly client_name: string;
  readonly sent_at: number;
  readonly last_edited_at: number | null;
  readonly last_moved_at: number | null;
  readonly facts: number;
  readonly group_mention_set_id: number | null;
  readonly topic_mention_set_id: number | null;
}

/** People of conversations by ID. */
export type Members = ReadonlyMap<number, readonly number[]>;
