import { Injectable } from '@nestjs/common';
import {
  initialState,
  stateFor,
  type StateRequest,
} from '../../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../../platform/hooks/hooks';
import type { Queryable } from '../../../../platform/sql/queryable';
import { EMPTY_TOPIC_NAME, UserTopicsService, type UserTopicPolicy } from './user-topics.service';
import { mutedTopicsState, userTopicsState, userTopicWire } from './user-topics.api';

const USER_TOPIC = 'user_topic';

/** Tells clients that register what their owner has said about topics, in the present form and in the older one. */
@Injectable()
export class UserTopicsStateService {
  constructor(
    private readonly topics: UserTopicsService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor(USER_TOPIC, (db, request) => this.policies(db, request)),
    );
    hooks.on(
      initialState,
      stateFor('muted_topics', (db, request) => this.muted(db, request)),
    );
  }

  private async policies(db: Queryable, request: StateRequest) {
    const shown = this.topics.shownTopic(request.capabilities.has(EMPTY_TOPIC_NAME));
    const policies = await this.read(db, request);
    const records = policies.map(({ channelId, topic, policy, lastUpdated }) =>
      userTopicWire(channelId, shown(topic), policy, lastUpdated),
    );
    return userTopicsState(records);
  }

  /** A client that asks for the present form by name has no use for the older one. */
  private async muted(
    db: Queryable,
    request: StateRequest,
  ): Promise<Partial<ReturnType<typeof mutedTopicsState>>> {
    if (request.isNamed(USER_TOPIC)) return {};
    const policies = await this.read(db, request);
    const allowEmptyName = request.capabilities.has(EMPTY_TOPIC_NAME);
    return mutedTopicsState(this.topics.mutedTopics(policies, allowEmptyName));
  }

  private async read(db: Queryable, { reader }: StateRequest): Promise<UserTopicPolicy[]> {
    return reader ? this.topics.policiesOf(db, reader.userId) : [];
  }
}
