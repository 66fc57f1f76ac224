public class StartTrino {
    public static void main(String[] arguments) throws Exception {
        new io.trino.server.Server().start(arguments[0]);
    }
}
