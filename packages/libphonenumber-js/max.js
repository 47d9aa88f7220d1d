/** What class-validator calls in `@IsPhoneNumber`, which takes an error for a wrong number: the warning is what is seen. */
exports.parsePhoneNumber = () => {
  const message = '@IsPhoneNumber refuses every number here: libphonenumber-js is not installed.';
  process.emitWarning(message, 'MissingLibrary');
  throw new Error(message);
};
