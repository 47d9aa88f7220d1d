import type { Scene } from './scene';

/** What is fetched unless a check asks for something else. */
export const PAGE = { anchor: 'newest', num_before: 50, num_after: 0 };

/** IDs of the messages that a narrow gives. */
export async function idsIn(
  { owner }: Scene,
  narrow: readonly object[],
  page: object = PAGE,
): Promise<number[]> {
  const { messages } = await owner.client.ok('GET /messages', { ...page, narrow });
  return (messages as { id: number }[]).map(({ id }) => id);
}
