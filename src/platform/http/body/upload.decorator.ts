import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BadRequest } from '../../errors/shared.errors';
import type { UploadedFile } from './uploaded-file';

/** The error texts with which a file route refuses a form that does not have exactly one file. */
export interface UploadMessages {
  /** Null if the file may be omitted; the handler then gets null instead. */
  readonly missing: string | null;
  readonly several: string;
  /**
   * Largest file, in bytes, where it is read into memory before the handler is called, so that parameters may follow it.
   * Without it, the file is read as it comes, and parameters stand before it.
   */
  readonly bufferedBytes?: number;
}

const DEFAULT_MESSAGES: UploadMessages = {
  missing: 'You must specify a file to upload',
  several: 'You may only upload one file at a time',
};

const MESSAGES = 'parley:upload';

/** The file of each request, from when its form was opened until its handler is called. */
export const openUploads = new WeakMap<FastifyRequest, UploadedFile>();

const UploadArgument = createParamDecorator((messages: UploadMessages, context: ExecutionContext) => {
  const file = openUploads.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (file === undefined && messages.missing !== null) {
    throw new BadRequest(messages.missing);
  }
  return file ?? null;
});

/** The file of the form, as an argument of a handler. Makes the route one that takes one file. */
export function Upload(messages: Partial<UploadMessages> = {}): ParameterDecorator {
  const complete = { ...DEFAULT_MESSAGES, ...messages };
  return (prototype, key, index) => {
    Reflect.defineMetadata(MESSAGES, complete, prototype, key!);
    UploadArgument(complete)(prototype, key, index);
  };
}

/** What the route says about files, or null if it takes none. */
export function uploadMessagesOf(prototype: object, handlerName: string): UploadMessages | null {
  return (Reflect.getMetadata(MESSAGES, prototype, handlerName) as UploadMessages | undefined) ?? null;
}
