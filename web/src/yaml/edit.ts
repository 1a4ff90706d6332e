export interface TextEdit { from: number; to: number; insert: string }
export function edits(): TextEdit[] | undefined { return undefined; }
