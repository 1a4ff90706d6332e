export default {
  mode: "production",
  entry: "./build/main.js",
};
