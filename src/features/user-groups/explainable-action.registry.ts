import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import type { Explanation } from './permissions/permission.service';

/** What an action is done to. */
export type ActionObject = 'organization' | 'group' | 'channel' | 'message';

/** Whether somebody may do something, asked by the same person or an administrator. */
export interface ActionQuestion {
  readonly asker: Actor;
  /** Whom it is about. */
  readonly person: Actor;
  readonly action: string;
  /** ID of the group, channel or message; 0 for the organization. */
  readonly objectId: number;
}

/** The actions on one kind of object, and what decides about each. */
export interface ExplainableActions {
  readonly object: ActionObject;
  readonly names: Iterable<string>;
  /** Asks the code that the endpoints ask. @throws what loading the object throws, for the asker */
  explain(question: ActionQuestion): Explanation | Promise<Explanation>;
}

/** Where features say which actions they can give reasons for. */
@Injectable()
export class ExplainableActionRegistry {
  private readonly sources: ExplainableActions[] = [];

  register(source: ExplainableActions): void {
    this.sources.push(source);
  }

  find(object: ActionObject, action: string): ExplainableActions | undefined {
    return this.sources.find((source) => source.object === object && [...source.names].includes(action));
  }
}
