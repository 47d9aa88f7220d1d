/** What a group holds directly in the course of a request, as its steps change it. */
export interface GroupDraft {
  readonly id: number;
  readonly members: Set<number>;
  readonly subgroups: Set<number>;
}
