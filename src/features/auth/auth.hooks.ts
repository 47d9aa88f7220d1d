import type { FastifyReply, FastifyRequest } from 'fastify';
import { definePort } from '../../platform/hooks/hook';
import type { EndedSession } from '../users/users.module';

/**
 * What stands at `/`. The request says whether its sender has a session: `actor` and `sessionId` are null for others.
 */
export interface HomePage {
  /** @returns the page, or an empty text where the reply leads elsewhere; null to leave it to the front page */
  show(request: FastifyRequest, reply: FastifyReply): Promise<string | null>;
}

/** Provided by whatever people use the server with in a browser. */
export const homePagePort = definePort<HomePage>('homePagePort');

/** Provided where the operator has chosen what stands at `/`; it comes before what would stand there otherwise. */
export const chosenHomePagePort = definePort<HomePage>('chosenHomePagePort');

/** Where a person signs out of an identity provider, too. */
export interface ProviderExit {
  readonly label: string;
  readonly url: string;
}

/** Knows where people leave the identity provider that signed them in. */
export interface ProviderExits {
  /** @returns null where they stay signed in there */
  exitOf(session: EndedSession): Promise<ProviderExit | null>;
}

/** Provided by the feature that has the providers. */
export const providerExitsPort = definePort<ProviderExits>('providerExitsPort');
