import { isUtf8 } from 'node:buffer';
import { parseJson } from '../parameters/json-text';
import { ParameterProblem } from '../parameters/wire-type';

/** Parses the body of a request. @throws ParameterProblem */
export function readJsonBytes(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ParameterProblem('Request body is not valid UTF-8');
  return parseJson(bytes.toString('utf8'), 'Request body', false);
}
