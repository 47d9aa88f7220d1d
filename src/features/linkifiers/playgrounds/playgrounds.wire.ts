import type { Playground } from './playground.entity';

/** A playground as the interface shows it. */
export interface PlaygroundWire {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

function playgroundWire({ id, name, language, urlTemplate }: Playground): PlaygroundWire {
  return { id, name, pygments_language: language, url_template: urlTemplate };
}

/** What a client that registers is told, and the event of a change: all there are. */
export function playgroundList(playgrounds: readonly Playground[]): {
  realm_playgrounds: readonly PlaygroundWire[];
} {
  return { realm_playgrounds: playgrounds.map(playgroundWire) };
}
