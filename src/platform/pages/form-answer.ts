import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error';
import { type PageContent, renderWebPage } from './web-page';

/**
 * Renders the outcome of a submitted form, or the form again with the reason if its input was rejected.
 * @param again makes the form, with the reason
 * @throws errors that the input did not cause
 */
export async function formAnswer(
  reply: FastifyReply,
  work: () => Promise<PageContent>,
  again: (refusal: string) => PageContent | Promise<PageContent>,
): Promise<string> {
  try {
    return renderWebPage(await work());
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    reply.code(400);
    return renderWebPage(await again(error.advisedMessage));
  }
}
