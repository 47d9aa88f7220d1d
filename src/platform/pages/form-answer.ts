import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error';
import { type PageContent, renderWebPage } from './web-page';

/**
 * The page that comes of a form: that of what was done, or the form again where what was sent in it has to be changed.
 * @param again makes the form, with the reason
 * @throws what is no matter of the form
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
