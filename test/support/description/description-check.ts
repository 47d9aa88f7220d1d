import type { ApiDescription, CheckedAnswer } from '../shared/api-description';

/** Checks answers of one test file against the API description, except for data invented by tests. */
export class DescriptionCheck {
  private readonly tolerated: string[] = [];
  private readonly unheld: string[] = [];

  constructor(private readonly description: ApiDescription) {}

  /** Skips answers with a key whose contents the test invents. */
  leave(key: string): void {
    this.unheld.push(key);
  }

  /** Allows an invented key in answers. */
  tolerate(key: string): void {
    this.tolerated.push(key);
  }

  /**
   * Checks an answer against the description, if the request has a route.
   * @throws Error for an undescribed status, and for a body that does not match
   */
  checkAnswer(verb: string, url: string, answer: CheckedAnswer): void {
    const described = this.description.find(verb, url, answer);
    const { body } = answer;
    if (!described || (isRecord(body) && this.unheld.some((key) => key in body))) return;
    this.description.checkBody(described, this.withoutTolerated(body));
  }

  /** The body without invented keys, and without events of kinds unknown to the server. */
  private withoutTolerated(body: unknown): unknown {
    if (!isRecord(body)) return body;
    const known = Object.entries(body).filter(([key]) => !this.tolerated.includes(key));
    return Object.fromEntries(
      known.map(([key, value]) => [key, key === 'events' ? this.ownEvents(value) : value]),
    );
  }

  private ownEvents(events: unknown): unknown {
    return Array.isArray(events)
      ? events.filter(({ type }: { type: string }) => this.description.eventTypes.has(type))
      : events;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
