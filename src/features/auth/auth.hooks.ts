import type { FastifyReply, FastifyRequest } from 'fastify';
import { definePort } from '../../platform/hooks/hook';

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
