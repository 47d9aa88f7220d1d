/** A topic of a channel as lists of topics have it. */
export interface TopicWire {
  readonly name: string;
  readonly max_id: number;
}
