import type { FastifyReply, FastifyRequest } from 'fastify';
import { definePort } from '../../platform/hooks/hook';
import type { EndedSession } from '../users/users.module';

/** The page at `/`. The request identifies the session: `actor` and `sessionId` are null without one. */
export interface HomePage {
  /** @returns the page, or an empty text if the reply is a redirect; null for the default front page */
  show(request: FastifyRequest, reply: FastifyReply): Promise<string | null>;
}

/** Provided by the feature with the browser interface. */
export const homePagePort = definePort<HomePage>('homePagePort');

/** Provided if the operator has chosen the page at `/`; takes precedence over all others. */
export const chosenHomePagePort = definePort<HomePage>('chosenHomePagePort');

/** A page where a person also signs out of the identity provider. */
export interface ProviderExit {
  readonly label: string;
  readonly url: string;
}

/** Finds where people sign out of the identity provider that authenticated them. */
export interface ProviderExits {
  /** @returns null if they stay signed in there */
  exitOf(session: EndedSession): Promise<ProviderExit | null>;
}

/** Provided by the feature that manages identity providers. */
export const providerExitsPort = definePort<ProviderExits>('providerExitsPort');
