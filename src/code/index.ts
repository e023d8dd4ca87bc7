export { type CodeLanguage, codeLanguages, codeOf, type RequestInCode } from './request-code.ts';
