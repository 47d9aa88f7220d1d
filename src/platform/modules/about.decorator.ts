const KEY = 'parley:about';

/**
 * Says in the API description what a route of a module does, or what a parameter means. The program's own routes have
 * docstrings for that, from which the description is made before the program runs.
 */
export function About(sentence: string): MethodDecorator & PropertyDecorator {
  return (target: object, key: string | symbol) => Reflect.defineMetadata(KEY, sentence, target, key);
}

/** What {@link About} says of a method or property of a class; empty where it has none. */
export function aboutOf(prototype: object, key: string): string {
  return (Reflect.getMetadata(KEY, prototype, key) as string | undefined) ?? '';
}
